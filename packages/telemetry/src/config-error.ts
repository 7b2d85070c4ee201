/** Names the faulty variables, never their values. */
export class ConfigError extends Error {
  readonly violations: readonly string[];

  constructor(
    message: string,
    { violations = [message], ...options }: ErrorOptions & { violations?: readonly string[] } = {},
  ) {
    super(message, options);
    this.violations = violations;
  }
}
