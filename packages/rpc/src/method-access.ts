import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { access, grouped, type Access } from "@canvass/proto/access";

export interface MethodAccess {
  access: Access;
  grouped: boolean;
}

const known = new WeakMap<DescMethod, MethodAccess>();

/** Cached, since each read decodes the options of the proto file. */
export function accessOf(method: DescMethod): MethodAccess {
  let found = known.get(method);
  if (!found) known.set(method, (found = { access: getOption(method, access), grouped: getOption(method, grouped) }));
  return found;
}
