import type { ComponentType } from "react";
import { Navigate, Outlet, type RouteObject } from "react-router";
import { loadAccountTexts } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { CrashScreen } from "./CrashScreen.tsx";
import { Shell } from "./Shell.tsx";
import { VisitorShell } from "./VisitorShell.tsx";

/** A route whose screen is a separate chunk, loaded on demand. */
function screen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) };
}

/** The same for a screen with texts of the account. */
function accountScreen(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    lazy: async () => {
      const [Component] = await Promise.all([load(), loadAccountTexts()]);
      return { Component };
    },
  };
}

const loading = { HydrateFallback: () => null, ErrorBoundary: CrashScreen };

const naming = [
  screen(paths.wpName, async () => (await import("../new-project/WpNameScreen.tsx")).WpNameScreen),
  screen(paths.wpUsername, async () => (await import("../new-project/WpUsernameScreen.tsx")).WpUsernameScreen),
  screen(paths.staticName, async () => (await import("../new-project/StaticNameScreen.tsx")).StaticNameScreen),
];

/** Pages that messages link to; they work with and without a session. */
const mailLinks = [
  accountScreen(paths.reset, async () => (await import("../auth/ResetScreen.tsx")).ResetScreen),
  accountScreen(paths.confirmEmail, async () => (await import("../auth/MailLinkScreens.tsx")).ConfirmEmailScreen),
  accountScreen(paths.undoEmail, async () => (await import("../auth/MailLinkScreens.tsx")).UndoEmailScreen),
  accountScreen(paths.unsubscribe, async () => (await import("../auth/MailLinkScreens.tsx")).UnsubscribeScreen),
];

export const signedInRoutes: RouteObject[] = [
  {
    Component: Shell,
    ...loading,
    children: [
      screen("/", async () => (await import("../projects/ProjectsScreen.tsx")).ProjectsScreen),
      screen(paths.projects, async () => (await import("../projects/ProjectsScreen.tsx")).ProjectsScreen),
      screen(paths.project(":id"), async () => (await import("../projects/ProjectScreen.tsx")).ProjectScreen),
      screen(
        paths.deleteProject,
        async () => (await import("../projects/DeleteProjectScreen.tsx")).DeleteProjectScreen,
      ),
      screen(paths.newDomain, async () => (await import("../domains/NewDomainScreen.tsx")).NewDomainScreen),
      screen(paths.deleteDomain, async () => (await import("../domains/DeleteDomainScreen.tsx")).DeleteDomainScreen),
      accountScreen(paths.settings, async () => (await import("./SettingsScreen.tsx")).SettingsScreen),
      accountScreen(paths.settingsReferrals, async () => (await import("./SettingsScreen.tsx")).SettingsScreen),
      screen(paths.selectCategory, async () => (await import("../new-project/CategoryScreen.tsx")).CategoryScreen),
      screen(paths.newProject, async () => (await import("../new-project/PlansScreen.tsx")).PlansScreen),
      ...naming,
      screen(paths.purchase, async () => (await import("../new-project/PurchaseScreen.tsx")).PurchaseScreen),
      screen(paths.wpSuccess, async () => (await import("../new-project/WpProgressScreen.tsx")).WpProgressScreen),
      screen(
        paths.staticSuccess,
        async () => (await import("../new-project/StaticSuccessScreen.tsx")).StaticSuccessScreen,
      ),
      screen(paths.newProjectError, async () => (await import("../new-project/ErrorScreen.tsx")).ErrorScreen),
      screen(paths.purchases, async () => (await import("../billing/PurchasesScreen.tsx")).PurchasesScreen),
      ...(import.meta.env.DEV ? [screen("/kit", async () => (await import("./KitScreen.tsx")).KitScreen)] : []),
      screen("*", async () => (await import("./NotFoundScreen.tsx")).NotFoundScreen),
    ],
  },
  {
    Component: VisitorShell,
    ...loading,
    children: [
      { path: paths.login, element: <Navigate to={paths.projects} replace /> },
      { path: paths.signUp, element: <Navigate to={paths.projects} replace /> },
      ...mailLinks,
      accountScreen(paths.cliLogin, async () => (await import("../auth/CliGrantScreen.tsx")).CliGrantScreen),
      accountScreen(paths.cliSuccess, async () => (await import("../auth/CliSuccessScreen.tsx")).CliSuccessScreen),
    ],
  },
];

export const signedOutRoutes: RouteObject[] = [
  {
    Component: VisitorShell,
    ...loading,
    children: [
      {
        // The same width and padding as inside the signed-in shell.
        element: (
          <div className="mx-auto w-full max-w-[1180px] px-[18px] py-9 sm:px-12">
            <Outlet />
          </div>
        ),
        children: naming,
      },
      accountScreen(
        `${paths.newProject}/*`,
        async () => (await import("../auth/SignInScreens.tsx")).PurchaseSignInScreen,
      ),
      accountScreen(paths.signUp, async () => (await import("../auth/SignUpScreen.tsx")).SignUpScreen),
      ...mailLinks,
      accountScreen(paths.cliLogin, async () => (await import("../auth/SignInScreens.tsx")).CliSignInScreen),
      accountScreen(paths.cliSuccess, async () => (await import("../auth/CliSuccessScreen.tsx")).CliSuccessScreen),
      accountScreen("*", async () => (await import("../auth/SignInScreens.tsx")).SignInScreen),
    ],
  },
];
