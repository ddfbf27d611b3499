import type { ServiceAddress } from "../../wire.ts";

/** How to call the embedded service from outside the page. */
export function Address({ service: { baseUrl, apiKey } }: { readonly service: ServiceAddress }) {
  return (
    <section aria-label="Address">
      <p class="remark">Call the service yourself. The key is made up and works only here.</p>
      <pre>{`curl -H "Authorization: AccessKey ${apiKey}" ${baseUrl}/api/Actions`}</pre>
    </section>
  );
}
