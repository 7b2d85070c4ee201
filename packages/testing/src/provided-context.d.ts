export {};

// Every package inherits this from the root tsconfig.json: tests ask for servers without importing the global setup.
declare module "vitest" {
  export interface ProvidedContext {
    /** `GET /<name>` starts that server unless it runs, and returns its url. */
    testServerDoor: string;
  }
  export interface TaskMeta {
    /** Why a test or suite is skipped here, for a reader who can change that. closing-line.ts prints it. */
    skipReason?: string;
  }
}
