import { siteUpdatesSchema, type UpdateItem, type UpdateRequest } from "@nido/contract";
import { requestSafely, requestSite } from "./requestSite.ts";
import type { WordPress } from "./WordPress.ts";
import type { Site } from "./WordPressRuntime.ts";

/** PHP-FPM ends a request after 150. */
const upgradeSeconds = 140;
const maxNamesLength = 300;

/** Whether an update is among those that are asked for. */
export function isChosen({ plugins, themes }: Pick<UpdateRequest, "plugins" | "themes">, { kind, id }: UpdateItem) {
  return (kind === "plugin" ? plugins : themes).includes(id);
}

/** What is updated, for the owner to read. */
export function namesOf(request: UpdateRequest, items: UpdateItem[]): string {
  const names = items.filter((item) => isChosen(request, item)).map((item) => `${item.name} ${item.new_version}`);
  const { core, php } = request;
  return [...(core ? [`WordPress ${core}`] : []), ...(php ? [`PHP ${php}`] : []), ...names]
    .join(", ")
    .slice(0, maxNamesLength);
}

interface Options {
  wanted?: Pick<UpdateRequest, "plugins" | "themes">;
  isOwn?: boolean;
}

/** What can be updated in a site. With `wanted`, PHP updates that first. */
export async function askUpdates(wordpress: WordPress, site: Site, { wanted, isOwn = false }: Options = {}) {
  const server = wanted && { NIDO_UPDATES: JSON.stringify(wanted) };
  const request = {
    url: "/",
    script: { in: "nido", path: "updates.php" },
    isOwn,
    ...(wanted && { seconds: upgradeSeconds }),
  } as const;
  // A broken plugin does not keep its own update away. Without plugins, those that find updates by themselves find none.
  const answer = await requestSite(wordpress, site, { ...request, server: { ...server } }).catch(() =>
    requestSafely(wordpress, site, { ...request, server: { ...server } }),
  );
  // The site may print anything.
  return siteUpdatesSchema.parse(JSON.parse(answer));
}
