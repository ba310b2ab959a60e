/** Every address of the dashboard, and those of the server that a browser visits. */
export const paths = {
  projects: "/projects",
  project: (id: string) => `/projects/${id}`,
  settings: "/settings",
  settingsTab: (tab: string) => (tab === "general" ? "/settings" : `/settings?tab=${tab}`),
  settingsReferrals: "/settings/referrals",
  newDomain: "/newdomain",
  deleteDomain: "/deletedomain",
  deleteProject: "/deleteproject",
  selectCategory: "/selectcategory",
  newProject: "/newproject",
  wpName: "/newproject/wp/1",
  wpUsername: "/newproject/wp/2",
  staticName: "/newproject/static/1",
  purchase: "/newproject/purchase",
  wpSuccess: "/newproject/wp/success",
  staticSuccess: "/newproject/static/success",
  newProjectError: "/newproject/error",
  purchases: "/purchase",
  login: "/login",
  cliLogin: "/clilogin",
  cliSuccess: "/clisuccess",
};

export const serverPaths = {
  state: "/redux",
  settings: "/api/settings",
  signIn: "/auth/simple",
  signOut: "/logout",
  google: "/auth/google",
  googleCli: "/auth/google/cli",
};
