/** Turns `rate_limited`, `response.completed` and `listSurveys` into `RateLimited`, `ResponseCompleted` and `ListSurveys`. */
export const pascalCase = (text: string): string =>
  text.replace(/(?:^|[._-])([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
