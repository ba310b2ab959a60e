import { useCallback, useEffect, useRef, useState } from "react";

type Result<Answer> = { status: "loading" } | { status: "done"; answer: Answer } | { status: "failed" };

/**
 * Runs a call when the component mounts and whenever the call changes. Answers to an older call are ignored. `retry` runs
 * it again; an answer that was there stays until the new one arrives.
 */
export function useCall<Answer>(call: (signal: AbortSignal) => Promise<Answer>) {
  const [result, setResult] = useState<Result<Answer>>({ status: "loading" });
  const [attempt, setAttempt] = useState(0);
  const answered = useRef<typeof call>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to call again.
  useEffect(() => {
    const controller = new AbortController();
    if (answered.current !== call) setResult({ status: "loading" });
    call(controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return;
        answered.current = call;
        setResult({ status: "done", answer });
      },
      () => {
        if (controller.signal.aborted) return;
        answered.current = undefined;
        setResult({ status: "failed" });
      },
    );
    return () => controller.abort();
  }, [call, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...result, retry };
}
