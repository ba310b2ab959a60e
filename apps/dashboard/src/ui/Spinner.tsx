import { LoaderCircle } from "lucide-react";

export function Spinner() {
  return <LoaderCircle className="shrink-0 size-4 animate-spin" aria-hidden="true" />;
}
