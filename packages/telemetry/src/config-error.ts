/** Names the faulty variables, never their values. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(message: string, { faults = [message], ...options }: ErrorOptions & { faults?: readonly string[] } = {}) {
    super(message, options);
    this.faults = faults;
  }
}
