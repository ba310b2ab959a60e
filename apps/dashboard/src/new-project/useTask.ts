import { type Task, taskPollInterval } from "@nido/contract";
import { useEffect, useState } from "react";
import { ApiError, api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/**
 * Polls a task until it ends. While the server does not answer, `isLost` is set and the polling goes on: nothing is
 * known about the task then. `isUnknown`: the customer has no such task.
 */
export function useTask(id: string) {
  const [task, setTask] = useState<Task>();
  const [problem, setProblem] = useState<"lost" | "unknown">();

  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function poll() {
      try {
        const answer = await api<Task>(serverPaths.task(id), { signal: controller.signal });
        if (controller.signal.aborted) return;
        setProblem(undefined);
        setTask(answer);
        if (answer.state === "completed" || answer.state === "failed") return;
      } catch (error) {
        if (controller.signal.aborted) return;
        if (error instanceof ApiError && error.status === 404) return setProblem("unknown");
        setProblem("lost");
      }
      timer = setTimeout(poll, taskPollInterval);
    }
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id]);

  return { task, isLost: problem === "lost", isUnknown: problem === "unknown" };
}
