import { defineQuery } from "./command.ts";
import { reference } from "./field.ts";
import { serviceProblem } from "./service-problem.ts";

export const policyShow = defineQuery({
  words: "policy show",
  title: "Show policy",
  summary: "Show a managed policy",
  operation: "GetManagedPolicy",
  fields: { policy: reference("policy", { label: "Policy", hint: "Its name or id", positional: true }) },
  answer: async ({ policy: id }, context) => {
    const result = await context.read("GetManagedPolicy", { id });
    if (result.kind !== "succeeded") return serviceProblem(result.error);
    const { name, managedPolicyId } = result.answer ?? { managedPolicyId: id };
    return {
      title: `Managed policy ${name ?? managedPolicyId}`,
      items: [{ title: "", facts: [{ label: "Policy", value: managedPolicyId }] }],
    };
  },
});
