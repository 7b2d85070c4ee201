import { useState } from "preact/hooks";
import type { Words } from "../words/words.ts";

interface PasswordProps {
  words: Words;
  title: string;
  /** Returns the error text, or null on success. `tell` gets the text to show while it waits for the server. */
  open: (password: string, tell: (text: string) => void) => Promise<string | null>;
}

export function Password({ words, title, open }: PasswordProps) {
  const [violation, setViolation] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [password, setPassword] = useState("");
  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setViolation(await open(password, setViolation));
    setBusy(false);
  }
  return (
    <main class="notice">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{words.passwordTitle}</p>
      <form class="password" onSubmit={(event) => void submit(event)}>
        <label for="password">{words.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="off"
          required
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
          aria-invalid={violation !== null}
          aria-describedby="password-fault"
        />
        <p id="password-fault" class="fault" role="alert">
          {violation}
        </p>
        {/* A sandboxed frame may be unable to submit forms, so the button does it. */}
        <button class="button main" type="button" disabled={isBusy} onClick={(event) => void submit(event)}>
          {words.open}
        </button>
      </form>
    </main>
  );
}
