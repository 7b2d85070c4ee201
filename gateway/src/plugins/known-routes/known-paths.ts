import { AppError } from "@canvass/errors";
import createRouter from "find-my-way";

export interface KnownPaths {
  add: (template: string, methods: readonly string[]) => void;
  /** Returns the refusal of a request without a route: 404 for an unknown path, else 405 with the allowed methods. */
  refusal: (target: string) => Refusal;
  /** Returns a 405 that lists all methods of the API. */
  unknownMethod: () => Refusal;
}

export interface Refusal {
  error: AppError;
  allow?: string;
}

export function createKnownPaths(): KnownPaths {
  const methodsAt = new Map<string, Set<string>>();
  const router = createRouter({ maxParamLength: Number.MAX_SAFE_INTEGER });

  function notAllowed(methods: ReadonlySet<string>): Refusal {
    return { error: new AppError("method_not_allowed"), allow: [...methods].join(", ") };
  }

  return {
    add(template, methods) {
      const known = methodsAt.get(template);
      if (known) {
        for (const each of methods) known.add(each);
      } else {
        methodsAt.set(template, new Set(methods));
        // This router only matches paths, so one method stands for all.
        router.on("GET", template, () => undefined, template);
      }
    },
    refusal(target) {
      const [path = ""] = target.split("?");
      const template = isPath(path) ? (router.find("GET", path)?.store as string | undefined) : undefined;
      return template === undefined ? { error: new AppError("route_not_found") } : notAllowed(methodsAt.get(template)!);
    },
    unknownMethod: () => notAllowed(new Set([...methodsAt.values()].flatMap((methods) => [...methods]))),
  };
}

/** Whether a target is a path or URL (RFC 9112, 3.2), unlike the `*` of OPTIONS, which the router treats as `/`. */
export const isPath = (target: string): boolean => target.startsWith("/") || /^https?:\/\//i.test(target);
