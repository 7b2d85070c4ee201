/** Gives data methods that do not show in logs, copies and JSON. */
export function withMethods<Data extends object, Methods extends object>(data: Data, methods: Methods): Data & Methods {
  return Object.assign(Object.create(methods) as Methods, data);
}
