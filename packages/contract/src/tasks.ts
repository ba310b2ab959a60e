import type { ErrorKey } from "./errors.ts";

export const taskMessages = [
  "initializing_database",
  "initializing_wordpress",
  "installing_wordpress",
  "wordpress_ready",
  "done",
] as const;
export type TaskMessage = (typeof taskMessages)[number];

export type TaskState = "pending" | "running" | "completed" | "failed";

/** `GET /api/tasks/{id}` */
export interface Task {
  state: TaskState;
  /** in chronological order; `progress` goes from 0 to 1 */
  progress: { progress: number; message: TaskMessage }[];
  /** the project that it made, once there is one */
  project_id?: string;
  /** why the task failed, if known */
  error?: ErrorKey;
}

export const taskPollInterval = 2000;
