import { useEffect, useMemo } from "react";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { useAccess } from "../state/store.ts";
import { closedRoutes, signedInRoutes, signedOutRoutes } from "./routes.tsx";

const routes = { signedIn: signedInRoutes, signedOut: signedOutRoutes, closed: closedRoutes };

/** Customers, visitors and customers whose account is closed get different routes. The address does not change. */
export function App() {
  const access = useAccess();
  const router = useMemo(() => createBrowserRouter(routes[access]), [access]);
  useEffect(() => () => router.dispose(), [router]);
  return <RouterProvider key={access} router={router} />;
}
