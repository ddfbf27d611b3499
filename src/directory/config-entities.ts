import type { Settings } from "../config/settings.ts";
import type { NewEntity } from "./directory.ts";
import { entities } from "./entities-in-answer.ts";

/** The config's directory as entities, in the shape of the service's answers. */
export function directoryOf({ directory }: Pick<Settings, "directory">): readonly NewEntity[] {
  const found = [
    ...directory.users.map(({ id, name, email, mfaType }) =>
      entities("user", { userId: id, username: name, emailAddress: email, mfaType }),
    ),
    ...directory.projects.map(({ id, name }) => entities("project", { projectId: id, name })),
    ...directory.credentials.map(({ id, name, project, cloudProviderSubTypeId }) =>
      entities("credential", { credentialId: id, name, cloudProviderSubTypeId, projectId: project }),
    ),
    ...directory.policies.map(({ id, name }) => entities("policy", { managedPolicyId: id, name })),
    ...directory.plans.map(({ id, name, project }) => entities("plan", { planId: id, name, projectId: project })),
    ...directory.selectors.map(({ id, name, plan }) => entities("selector", { selectorId: id, name, planId: plan })),
  ];
  return found.filter((entity) => entity !== undefined);
}
