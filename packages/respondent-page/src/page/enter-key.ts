/** Enter moves to the next text field, and from the last one (or a page's only question) to the button. */
export function enterKey(root: HTMLElement, ended: AbortSignal, isOneQuestion: () => boolean): void {
  const follow = (event: KeyboardEvent) => {
    const { target, key, isComposing, repeat } = event;
    if (key !== "Enter" || isComposing || repeat || !(target instanceof HTMLInputElement)) return;
    if (!target.matches("input.sd-text")) return;
    event.preventDefault();
    const button = root.querySelector<HTMLButtonElement>("nav .main");
    if (isOneQuestion()) return button?.click();
    const fields = [...root.querySelectorAll<HTMLElement>("input.sd-text")];
    (fields[fields.indexOf(target) + 1] ?? button)?.focus();
  };
  root.addEventListener("keydown", follow, { signal: ended });
}
