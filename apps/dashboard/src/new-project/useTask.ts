import { type Task, taskPollInterval } from "@nido/contract";
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/** Polls a task until it ends or a request fails. `retry` resumes the polling. */
export function useTask(id: string) {
  const [task, setTask] = useState<Task>();
  const [isLost, setIsLost] = useState(false);

  useEffect(() => {
    if (isLost) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll() {
      const answer = await api<Task>(serverPaths.task(id), { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return;
      if (!answer) return setIsLost(true);
      setTask(answer);
      if (answer.state === "pending" || answer.state === "running") timer = setTimeout(poll, taskPollInterval);
    }
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, isLost]);

  return { task, isLost, retry: () => setIsLost(false) };
}
