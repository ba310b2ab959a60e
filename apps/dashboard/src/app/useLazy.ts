import { type ComponentType, useEffect, useEffectEvent, useState } from "react";

/** A part of the frame that is loaded when it is first wanted. If that fails, `onFailure` takes the wish back. */
export function useLazy<Props>(
  isWanted: boolean,
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): ComponentType<Props> | undefined {
  const [component, setComponent] = useState<ComponentType<Props>>();
  const begin = useEffectEvent(() => void load().then((loaded) => setComponent(() => loaded), onFailure));
  useEffect(() => {
    if (isWanted && !component) begin();
  }, [isWanted, component]);
  return component;
}
