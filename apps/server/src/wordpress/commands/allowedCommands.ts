interface Group {
  reads?: string;
  writes?: string;
  /** They may change a lot at once. */
  risky?: string;
}

/**
 * The commands of WP-CLI that owners may run. Not among them: what needs a terminal or another program, and what the
 * platform does itself, such as updating WordPress.
 */
const groups: Record<string, Group> = {
  "": { reads: "help", risky: "search-replace" },
  cache: { reads: "get pluck supports type", writes: "add decr delete flush flush-group incr patch replace set" },
  cap: { reads: "list", writes: "add remove" },
  cli: { reads: "cmd-dump has-command info version" },
  comment: {
    reads: "count exists get list status",
    writes: "approve create delete generate recount spam trash unapprove unspam untrash update",
  },
  core: { reads: "check-update is-installed verify-checksums version" },
  cron: { reads: "test" },
  "cron event": { reads: "list", writes: "delete run schedule unschedule" },
  "cron schedule": { reads: "list" },
  db: { reads: "columns prefix search size tables" },
  embed: { reads: "fetch" },
  "embed cache": { reads: "find", writes: "clear trigger" },
  "embed handler": { reads: "list" },
  "embed provider": { reads: "list match" },
  "language core": { reads: "is-installed list", writes: "activate install uninstall update" },
  "language plugin": { reads: "is-installed list", writes: "install uninstall update" },
  "language theme": { reads: "is-installed list", writes: "install uninstall update" },
  media: { reads: "image-size", writes: "fix-orientation regenerate" },
  menu: { reads: "list", writes: "create delete" },
  "menu item": { reads: "list", writes: "add-custom add-post add-term delete update" },
  "menu location": { reads: "list", writes: "assign remove" },
  option: { reads: "get get-autoload list pluck", writes: "add delete patch set-autoload update" },
  plugin: {
    reads: "get is-active is-installed list path search status verify-checksums",
    writes: "activate deactivate install toggle",
    risky: "delete uninstall update",
  },
  "plugin auto-updates": { reads: "status", writes: "disable enable" },
  post: { reads: "exists get list url-to-id", writes: "create delete generate update" },
  "post term": { reads: "list", writes: "add remove set" },
  "post-type": { reads: "get list" },
  rewrite: { reads: "list", writes: "flush structure" },
  role: { reads: "exists list", writes: "create delete", risky: "reset" },
  sidebar: { reads: "list" },
  taxonomy: { reads: "get list" },
  term: { reads: "get list", writes: "create delete generate recount update", risky: "migrate" },
  theme: {
    reads: "get is-active is-installed list path search status",
    writes: "activate install",
    risky: "delete update",
  },
  "theme auto-updates": { reads: "status", writes: "disable enable" },
  "theme mod": { reads: "get list", writes: "remove set" },
  transient: { reads: "get list pluck type", writes: "delete patch set" },
  user: {
    reads: "check-password exists get list list-caps",
    writes: "add-cap add-role create generate remove-cap remove-role reset-password set-role update",
    risky: "delete",
  },
  "user application-password": { reads: "exists get list", writes: "create delete update" },
  "user session": { reads: "list", writes: "destroy" },
  widget: { reads: "list", writes: "add deactivate delete move update", risky: "reset" },
};
for (const owner of ["comment", "post", "term", "user"])
  groups[`${owner} meta`] = { reads: "get list pluck", writes: "add delete patch update" };

const kinds = new Map(
  Object.entries(groups).flatMap(([group, names]) =>
    (["reads", "writes", "risky"] as const).flatMap((kind) =>
      (names[kind]?.split(" ") ?? []).map((name) => [`${group} ${name}`.trim(), kind] as const),
    ),
  ),
);

/** They choose another WordPress, run code, or wait for an answer. */
const refusedOptions = /^--(config|exec|http|path|prompt|require|ssh|url)(=|$)/;
const manyAtOnce = /^--(no-)?(all|force)(=|$)/;

export interface SiteCommand {
  args: string[];
  /** its words without values, which may be secret */
  name: string;
  kind: "reads" | "writes" | "risky";
}

/** Undefined if the command is not allowed. */
export function allowedCommand(args: string[]): SiteCommand | undefined {
  if (args.some((arg) => refusedOptions.test(arg))) return;
  for (const length of [3, 2, 1]) {
    const name = args.slice(0, length).join(" ");
    const kind = args.length >= length ? kinds.get(name) : undefined;
    if (kind) return { args, name, kind: isDry(name, args) ? "reads" : kindOf(name, kind, args.slice(length)) };
  }
  return;
}

/** Only where WP-CLI knows the option: other commands would ignore it. */
function isDry(name: string, args: string[]): boolean {
  const said = args.filter((arg) => /^--(no-)?dry-run/.test(arg));
  return said.length === 1 && said[0] === "--dry-run" && /^(search-replace|(plugin|theme) update)$/.test(name);
}

function kindOf(name: string, kind: SiteCommand["kind"], rest: string[]): SiteCommand["kind"] {
  const isBulk = /^(plugin|theme) /.test(name) && rest.some((arg) => manyAtOnce.test(arg));
  const isDeletingMany = / delete$/.test(name) && rest.filter((arg) => !arg.startsWith("-")).length > 1;
  return kind === "writes" && (isBulk || (isDeletingMany && /^(comment|post|term) delete$/.test(name)))
    ? "risky"
    : kind;
}
