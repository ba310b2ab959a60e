export { createRemoteServer, type RemoteServer, type Socket } from "./createRemoteServer.ts";
