import type { Change } from "../../src/changes/change.ts";
import type { KeptGroup, ResourceGroup } from "../../src/directory/directory.ts";
import type { Store } from "../../src/store/open-store.ts";
import { aChange, noon } from "../changes/build.ts";

/** Saves a group as Alice and records it; returns the replaced group. */
export function saveGroup(
  store: Store,
  name: string,
  group: ResourceGroup,
  id = `chg-${name}`,
): Promise<KeptGroup | undefined> {
  return store.changeGroup(name, group, (former) => ({ change: groupChange(id, name, group, former) }));
}

function groupChange(id: string, name: string, group: ResourceGroup, former: KeptGroup | undefined): Change {
  const body = (each: KeptGroup) => ({ group: name, ...each });
  return {
    ...aChange({ id, state: "succeeded", subjectId: name, settledAt: noon }),
    words: "group save",
    operation: "SaveResourceGroup",
    subjectKind: "group",
    request: body(group),
    before: former ? body(former) : null,
  };
}
