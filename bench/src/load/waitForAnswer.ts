import { waitUntil } from "../waitUntil.ts";
import { getAnswer } from "./getAnswer.ts";
import type { Page, Server } from "./Server.ts";

/** Waits until a server sends a page in the requested encoding. */
export async function waitForAnswer(server: Server, page: Page) {
  const isAnswered = async () => {
    const answer = await getAnswer(server, page).catch(() => undefined);
    return answer?.status === 200 && answer.encoding === page.encoding;
  };
  await waitUntil(isAnswered, `${server.name} answers ${page.path}, encoding ${page.encoding ?? "none"}`);
}
