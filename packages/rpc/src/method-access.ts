import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { access, grouped, type Access } from "@canvass/proto/access";

export interface MethodAccess {
  access: Access;
  grouped: boolean;
}

const known = new WeakMap<DescMethod, MethodAccess>();

/** Returns the access options of a method's proto file. Cached, since each read decodes the options. */
export function accessOf(method: DescMethod): MethodAccess {
  let found = known.get(method);
  if (!found) known.set(method, (found = { access: getOption(method, access), grouped: getOption(method, grouped) }));
  return found;
}
