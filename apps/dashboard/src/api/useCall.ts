import { useCallback, useEffect, useState } from "react";

type Result<Answer> = { status: "loading" } | { status: "done"; answer: Answer } | { status: "failed" };

/** Runs a call when the component mounts and whenever the call changes. Answers to an older call are ignored. */
export function useCall<Answer>(call: (signal: AbortSignal) => Promise<Answer>) {
  const [result, setResult] = useState<Result<Answer>>({ status: "loading" });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a reason to call again.
  useEffect(() => {
    const controller = new AbortController();
    setResult({ status: "loading" });
    call(controller.signal).then(
      (answer) => !controller.signal.aborted && setResult({ status: "done", answer }),
      () => !controller.signal.aborted && setResult({ status: "failed" }),
    );
    return () => controller.abort();
  }, [call, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...result, retry };
}
