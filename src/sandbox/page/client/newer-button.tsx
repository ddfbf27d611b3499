/** Leads to what came below what is in sight. */
export function NewerButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" class="button primary newer" onClick={onClick}>
      New messages ↓
    </button>
  );
}
