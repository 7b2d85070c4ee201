export {};

// Every package's check loads this (tsconfig.json): tests ask for servers without importing the set-up that starts them.
declare module "vitest" {
  export interface ProvidedContext {
    /** `GET /<name>` starts that server unless it runs, and returns its url. */
    testServerDoor: string;
  }
  export interface TaskMeta {
    /** What this machine lacks for the tests; closing-line.ts prints it. */
    missing?: string;
  }
}
