// The import rules of the repository, checked by `npm run check`. Parsed by swc: TypeScript 7 has no JavaScript API.

/** The layers of the server, from top to bottom. A folder or file imports its own layer and those below. */
export const layers = [
  ["main.ts", "processes"],
  ["app"],
  ["edge", "remote"],
  ["leaving", "cli", "billing", "wordpress", "deploys", "state"],
  [
    "domains",
    "projects",
    "certificates",
    "referrals",
    "tasks",
    "account",
    "auth",
    "mail",
    "activity",
    "traffic",
    "pictures",
  ],
  ["jobs", "http", "db", "platform", "config"],
];

const server = "^apps/server/src/";

function pathOf(names) {
  return `${server}(${names.map((name) => (name.endsWith(".ts") ? name : `${name}/`)).join("|")})`;
}

const upward = layers.slice(1).map((names, index) => ({
  name: `no-upward-import-from-layer-${index + 2}`,
  comment: `${names.join(", ")} must not import the layers above: pass a callback, or move the code up.`,
  severity: "error",
  from: { path: pathOf(names) },
  to: { path: pathOf(layers.slice(0, index + 1).flat()) },
}));

export default {
  forbidden: [
    ...upward,
    {
      name: "every-file-in-a-layer",
      comment: "A new folder of the server needs a place in the list of layers.",
      severity: "error",
      from: {},
      to: { path: server, pathNot: pathOf(layers.flat()) },
    },
    {
      name: "no-cycle-between-files",
      comment: "Move what both need into a file of its own.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-cycle-between-folders",
      comment: "Two features that import each other are one feature, or share something that belongs below both.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "queries-know-no-http",
      comment: "SQL lives in queries.ts and knows neither HTTP nor sessions.",
      severity: "error",
      from: { path: "/queries\\.ts$" },
      to: { path: [`${server}http/`, "fastify"] },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    // Tests may import anything.
    exclude: { path: ["/(dist|migrations)/", "\\.test\\.tsx?$", "^packages/test-kit/"] },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
