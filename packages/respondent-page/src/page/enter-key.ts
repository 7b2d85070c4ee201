interface Screen {
  byQuestion: boolean;
  /** Whether the screen has one question. */
  isOne: () => boolean;
}

const texts = "input.sd-text";
const choices = "input:is([type=radio], [type=checkbox])";

/**
 * Enter moves to the next text field, and from the last one to the button, which it presses on a screen of one question.
 * Where a survey goes by question, a choice is no obstacle, and Ctrl or Command with Enter leaves a long text.
 */
export function enterKey(root: HTMLElement, ended: AbortSignal, { byQuestion, isOne }: Screen): void {
  const follow = (event: KeyboardEvent) => {
    const { target, key, isComposing, repeat } = event;
    if (key !== "Enter" || isComposing || repeat || !(target instanceof HTMLElement)) return;
    const button = root.querySelector<HTMLButtonElement>("nav .main");
    const isDone = target.matches("textarea") ? event.ctrlKey || event.metaKey : target.matches(choices);
    if (!target.matches(texts) && !(byQuestion && isDone)) return;
    event.preventDefault();
    const fields = [...root.querySelectorAll<HTMLElement>(texts)];
    const following = target.matches(texts) ? fields[fields.indexOf(target) + 1] : undefined;
    if (following) following.focus();
    else if (isOne()) button?.click();
    else button?.focus();
  };
  root.addEventListener("keydown", follow, { signal: ended });
}
