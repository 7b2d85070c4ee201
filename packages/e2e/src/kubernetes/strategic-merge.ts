type Fields = Record<string, unknown>;

/**
 * Fields that identify the elements of a list (`patchMergeKey` in Kubernetes' API types). A patch replaces other lists.
 */
const mergeKeys: Record<string, string> = {
  containers: "name",
  initContainers: "name",
  env: "name",
  volumes: "name",
  volumeMounts: "mountPath",
  ports: "containerPort",
  topologySpreadConstraints: "topologyKey",
};

/** Returns `target` with a strategic merge patch applied: objects and keyed lists merge, null removes. */
export function strategicMerge(target: unknown, patch: unknown, field = ""): unknown {
  if (Array.isArray(patch)) return mergeLists(target, patch, mergeKeys[field]);
  if (!isObject(patch)) return patch;
  const merged: Fields = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = strategicMerge(merged[name], value, name);
  }
  return merged;
}

/** Patched elements come first, as in Kustomize. */
function mergeLists(target: unknown, patch: unknown[], key: string | undefined): unknown[] {
  if (!key || !Array.isArray(target)) return patch;
  const isSame = (one: unknown, other: unknown): boolean => (one as Fields)[key] === (other as Fields)[key];
  const changed = patch.map((change) => {
    const element: unknown = target.find((each) => isSame(each, change));
    return strategicMerge(element, change);
  });
  return [...changed, ...target.filter((element) => !patch.some((change) => isSame(element, change)))];
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
