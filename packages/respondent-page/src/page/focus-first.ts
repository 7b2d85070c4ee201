const fields = "input.sd-text, textarea, input[type=radio], input[type=checkbox]";

/** Moves the focus from the screen to its first field once that is drawn, unless a touch would open a keyboard. */
export function focusFirst(screen: HTMLElement): void {
  if (!matchMedia("(pointer: fine)").matches) return;
  requestAnimationFrame(() => {
    if (document.activeElement !== screen) return;
    const field = screen.querySelector<HTMLElement>("input:checked") ?? screen.querySelector<HTMLElement>(fields);
    field?.focus({ preventScroll: true });
  });
}
