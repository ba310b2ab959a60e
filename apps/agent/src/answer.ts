import type { IncomingMessage, ServerResponse } from "node:http";
import { folderSize } from "@nido/server/platform/folderSize";
import {
  agentPaths,
  callHeader,
  inPod,
  maxMailBytes,
  writtenAtHeader,
} from "@nido/server/wordpress/kubernetes/agentProtocol";
import { listMessages, readMessage, removeMessage } from "@nido/server/wordpress/outbox";
import { readReport } from "@nido/server/wordpress/readReport";
import { checkBackup, importBackupDatabase, importDatabase, sendBackup, sendDatabase, unpackFiles } from "./backups.ts";
import { folders } from "./folders.ts";
import { refuseVisitors, serveVisitor } from "./serveVisitor.ts";

/** Answers a request of the platform. */
export async function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.headers[callHeader] !== undefined) return serveVisitor(request, response);
  const url = new URL(request.url ?? "/", "http://agent");
  const [, first, name] = url.pathname.split("/");
  switch (`${request.method} /${first}`) {
    case `GET ${agentPaths.report}`:
      return sendJson(response, await readReport(folders));
    case `GET ${agentPaths.disk}`:
      return sendJson(response, await folderSize(inPod.site));
    case `GET ${agentPaths.mail}`:
      if (name) return sendMessage(response, decodeURIComponent(name));
      return sendJson(response, await listMessages(folders.mail, Number(url.searchParams.get("limit"))));
    case `DELETE ${agentPaths.mail}`:
      await removeMessage(folders.mail, decodeURIComponent(name ?? ""));
      return sendJson(response, true);
    case `GET ${agentPaths.database}`:
      return sendDatabase(response);
    case `PUT ${agentPaths.database}`:
      await importDatabase(request);
      return sendJson(response, true);
    case `GET ${agentPaths.files}`:
      return sendBackup(response);
    case `PUT ${agentPaths.check}`:
      await checkBackup(request);
      return sendJson(response, true);
    case `PUT ${agentPaths.files}`:
      await refuseVisitors();
      return sendJson(response, await unpackFiles(request));
    case `PUT ${agentPaths.backupDatabase}`:
      await importBackupDatabase(request);
      return sendJson(response, true);
    default:
      return void response.writeHead(404).end();
  }
}

async function sendMessage(response: ServerResponse, name: string) {
  const message = await readMessage(folders.mail, name, maxMailBytes);
  if (!message) return void response.writeHead(404).end();
  const { writtenAt, content } = message;
  response.writeHead(content ? 200 : 413, { [writtenAtHeader]: String(writtenAt) }).end(content);
}

function sendJson(response: ServerResponse, value: unknown) {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
