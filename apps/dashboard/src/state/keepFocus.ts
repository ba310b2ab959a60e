const watchedForMs = 2000;

/**
 * Remembers where the keyboard focus is. After the returned function is called, and for two seconds, the focus moves to
 * the nearest element that is left around it, should the focused one be removed: a button whose work is done.
 */
export function keepFocus(): () => void {
  const focused = document.activeElement;
  const around: HTMLElement[] = [];
  for (let element = focused?.parentElement; element && element !== document.body; element = element.parentElement)
    around.push(element);

  return () => {
    const restore = () => {
      if (focused?.isConnected || document.activeElement !== document.body) return;
      const nearest = around.find((element) => element.isConnected);
      if (!nearest) return;
      nearest.tabIndex = -1;
      nearest.focus({ preventScroll: true });
      observer.disconnect();
    };
    const observer = new MutationObserver(restore);
    observer.observe(document.body, { childList: true, subtree: true });
    setTimeout(() => observer.disconnect(), watchedForMs);
    restore();
  };
}
