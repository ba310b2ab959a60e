import type { ComponentType } from "react";
import { Navigate, Outlet, type RouteObject } from "react-router";
import { Prerendered } from "../docs/Prerendered.tsx";
import { loadTexts, type Part } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { CrashScreen } from "./CrashScreen.tsx";
import { loadChunk } from "./loadChunk.ts";
import { ScreenFault, ScreenLoading } from "./ScreenFault.tsx";
import { Shell } from "./Shell.tsx";
import { VisitorShell } from "./VisitorShell.tsx";

/** A route whose screen is a separate chunk, loaded on demand with the parts of the texts that it shows. */
function screen(path: string, load: () => Promise<ComponentType>, ...texts: Part[]): RouteObject {
  return {
    path,
    ErrorBoundary: ScreenFault,
    HydrateFallback: ScreenLoading,
    lazy: async () => {
      const [Component] = await loadChunk(() => Promise.all([load(), loadTexts(...texts)]));
      return { Component };
    },
  };
}

/** The documentation has a frame of its own, with and without a session. */
const docs: RouteObject = {
  path: `${paths.docs}/:lang?/:slug?`,
  ErrorBoundary: ScreenFault,
  HydrateFallback: Prerendered,
  lazy: async () => {
    const { DocsScreen, loadDocs } = await loadChunk(() => import("../docs/DocsScreen.tsx"));
    return { Component: DocsScreen, loader: (request) => loadChunk(() => loadDocs(request)) };
  },
};

const loading = { HydrateFallback: () => null, ErrorBoundary: CrashScreen };

/** The steps that visitors can take, too: everything but paying. */
const choosing = [
  screen(
    paths.selectCategory,
    async () => (await import("../new-project/CategoryScreen.tsx")).CategoryScreen,
    "wizard",
  ),
  screen(paths.newProject, async () => (await import("../new-project/PlansScreen.tsx")).PlansScreen, "wizard"),
  screen(paths.wpName, async () => (await import("../new-project/WpNameScreen.tsx")).WpNameScreen, "wizard"),
  screen(
    paths.wpUsername,
    async () => (await import("../new-project/WpUsernameScreen.tsx")).WpUsernameScreen,
    "wizard",
  ),
  screen(
    paths.staticName,
    async () => (await import("../new-project/StaticNameScreen.tsx")).StaticNameScreen,
    "wizard",
  ),
];

/** Pages that messages link to; they work with and without a session. */
const mailLinks = [
  screen(paths.reset, async () => (await import("../auth/ResetScreen.tsx")).ResetScreen, "account"),
  screen(paths.confirmEmail, async () => (await import("../auth/MailLinkScreens.tsx")).ConfirmEmailScreen, "account"),
  screen(paths.undoEmail, async () => (await import("../auth/MailLinkScreens.tsx")).UndoEmailScreen, "account"),
  screen(paths.unsubscribe, async () => (await import("../auth/MailLinkScreens.tsx")).UnsubscribeScreen, "account"),
];

export const signedInRoutes: RouteObject[] = [
  docs,
  {
    Component: Shell,
    ...loading,
    children: [
      screen("/", async () => (await import("../projects/ProjectsScreen.tsx")).ProjectsScreen),
      screen(paths.projects, async () => (await import("../projects/ProjectsScreen.tsx")).ProjectsScreen),
      screen(
        paths.project(":id"),
        async () => (await import("./ProjectScreen.tsx")).ProjectScreen,
        "project",
        "wizard",
        "activity",
      ),
      screen(
        paths.deleteProject,
        async () => (await import("../projects/DeleteProjectScreen.tsx")).DeleteProjectScreen,
        "project",
      ),
      screen(paths.newDomain, async () => (await import("../domains/NewDomainScreen.tsx")).NewDomainScreen, "project"),
      screen(
        paths.deleteDomain,
        async () => (await import("../domains/DeleteDomainScreen.tsx")).DeleteDomainScreen,
        "project",
      ),
      screen(paths.settings, async () => (await import("./SettingsScreen.tsx")).SettingsScreen, "account", "activity"),
      screen(
        paths.settingsReferrals,
        async () => (await import("./SettingsScreen.tsx")).SettingsScreen,
        "account",
        "activity",
      ),
      ...choosing,
      screen(paths.purchase, async () => (await import("../new-project/PurchaseScreen.tsx")).PurchaseScreen, "wizard"),
      screen(paths.wpSuccess, async () => (await import("./WpSuccessScreen.tsx")).WpSuccessScreen, "wizard", "project"),
      screen(
        paths.staticSuccess,
        async () => (await import("./StaticSuccessScreen.tsx")).StaticSuccessScreen,
        "wizard",
        "project",
      ),
      screen(paths.newProjectError, async () => (await import("../new-project/ErrorScreen.tsx")).ErrorScreen, "wizard"),
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
      screen(paths.cliLogin, async () => (await import("../auth/CliGrantScreen.tsx")).CliGrantScreen, "account"),
      screen(paths.cliSuccess, async () => (await import("../auth/CliSuccessScreen.tsx")).CliSuccessScreen, "account"),
    ],
  },
];

/** A closed account has one screen. */
export const closedRoutes: RouteObject[] = [
  docs,
  {
    Component: VisitorShell,
    ...loading,
    children: [
      ...mailLinks,
      screen(
        "*",
        async () => (await import("../account/ClosedAccountScreen.tsx")).ClosedAccountScreen,
        "account",
        "activity",
      ),
    ],
  },
];

export const signedOutRoutes: RouteObject[] = [
  docs,
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
        children: choosing,
      },
      screen(
        `${paths.newProject}/*`,
        async () => (await import("../auth/SignInScreens.tsx")).PurchaseSignInScreen,
        "account",
      ),
      screen(paths.signUp, async () => (await import("../auth/SignUpScreen.tsx")).SignUpScreen, "account"),
      ...mailLinks,
      screen(paths.cliLogin, async () => (await import("../auth/SignInScreens.tsx")).CliSignInScreen, "account"),
      screen(paths.cliSuccess, async () => (await import("../auth/CliSuccessScreen.tsx")).CliSuccessScreen, "account"),
      screen("*", async () => (await import("../auth/SignInScreens.tsx")).SignInScreen, "account"),
    ],
  },
];
