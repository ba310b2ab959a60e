import { useEffect, useEffectEvent } from "react";

/** Goes on once a remote action is done, and forgets how it went. */
export function useWhenDone({ done, reset }: { done: boolean; reset(): void }, goOn: () => void) {
  const finish = useEffectEvent(() => {
    reset();
    goOn();
  });
  useEffect(() => {
    if (done) finish();
  }, [done]);
}
