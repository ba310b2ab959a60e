import { expect, test } from "vitest";
import { progressOf } from "./useRemoteAction.ts";

const idle = { inProgress: false, done: false, error: null };
const failure = { error: "error_refused" };
const conflict = { error: "remote action conflict" };

test.each([
  ["no action was sent", "idle", "", idle],
  ["another component's action is pending", "idle", "@redux-remote/OTHER", idle],
  ["the same action, sent by another component, succeeded", "idle", "@redux-remote/RENAME_SUCCESS", idle],
  ["the action is pending", "sent", "@redux-remote/RENAME", { ...idle, inProgress: true }],
  ["the action succeeded", "sent", "@redux-remote/RENAME_SUCCESS", { ...idle, done: true }],
  ["the action failed", "sent", "@redux-remote/RENAME_ERROR", { ...idle, error: failure }],
  ["the action was reset", "sent", "", idle],
  ["another action's result arrived instead", "sent", "@redux-remote/OTHER_SUCCESS", { ...idle, error: conflict }],
  ["another action's failure arrived instead", "sent", "@redux-remote/OTHER_ERROR", { ...idle, error: conflict }],
  [
    "the action was not sent because another one was pending",
    "refused",
    "@redux-remote/OTHER",
    { ...idle, error: conflict },
  ],
  [
    "the action was not sent and the other one has ended since",
    "refused",
    "@redux-remote/OTHER_SUCCESS",
    { ...idle, error: conflict },
  ],
] as const)("progress when %s", (_case, own, remoteAction, progress) => {
  expect(progressOf("RENAME", own, remoteAction, failure)).toEqual(progress);
});
