import { learned } from "./changes/learn.ts";
import type { Learned } from "./changes/ports.ts";
import type { Settings } from "./config/settings.ts";

/** What the config says of the service's things, in the shape of the service's own answers. */
export function directoryOf({ directory }: Pick<Settings, "directory">): readonly Learned[] {
  const things = [
    ...directory.users.map(({ id, name, email, mfaType }) =>
      learned("user", { userId: id, username: name, emailAddress: email, mfaType }),
    ),
    ...directory.projects.map(({ id, name }) => learned("project", { projectId: id, name })),
    ...directory.credentials.map(({ id, name, project, cloudProviderSubTypeId }) =>
      learned("credential", { credentialId: id, name, cloudProviderSubTypeId, projectId: project }),
    ),
    ...directory.policies.map(({ id, name }) => learned("policy", { managedPolicyId: id, name })),
    ...directory.plans.map(({ id, name, project }) => learned("plan", { planId: id, name, projectId: project })),
    ...directory.selectors.map(({ id, name, plan }) => learned("selector", { selectorId: id, name, planId: plan })),
  ];
  return things.filter((thing) => thing !== undefined);
}
