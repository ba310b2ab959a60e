import { type Task, taskPollInterval } from "@nido/contract";
import { useEffect, useState } from "react";
import { api } from "../app/api.ts";
import { serverPaths } from "../app/paths.ts";

/** Follows a task until it ends. A call that fails ends it too, as failed. */
export function useTask(id: string): Task | undefined {
  const [task, setTask] = useState<Task>();

  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll() {
      const answer = await api<Task>(serverPaths.task(id), { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return;
      setTask((known) => answer ?? { state: "failed", progress: known?.progress ?? [] });
      const isOver = !answer || answer.state === "completed" || answer.state === "failed";
      if (!isOver) timer = setTimeout(poll, taskPollInterval);
    }
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id]);

  return task;
}
