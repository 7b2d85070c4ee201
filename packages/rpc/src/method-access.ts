import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { access, grouped, type Access } from "@canvass/proto/access";

export interface MethodAccess {
  access: Access;
  grouped: boolean;
}

const known = new WeakMap<DescMethod, MethodAccess>();

/** What a method's proto file says of its access; read once, since options are decoded at every reading. */
export function accessOf(method: DescMethod): MethodAccess {
  let found = known.get(method);
  if (!found) known.set(method, (found = { access: getOption(method, access), grouped: getOption(method, grouped) }));
  return found;
}
