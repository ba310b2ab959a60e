import { useEffect, useEffectEvent } from "react";

/** Resets a remote action once it has succeeded, then calls `goOn`. */
export function useWhenDone({ done, reset }: { done: boolean; reset(): void }, goOn: () => void) {
  const finish = useEffectEvent(() => {
    reset();
    goOn();
  });
  useEffect(() => {
    if (done) finish();
  }, [done]);
}
