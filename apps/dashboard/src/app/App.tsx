import { useEffect, useMemo } from "react";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { useIsSignedIn } from "../state/store.ts";
import { signedInRoutes, signedOutRoutes } from "./routes.tsx";

/** Signed-in and signed-out visitors get different routes. The address does not change. */
export function App() {
  const isSignedIn = useIsSignedIn();
  const router = useMemo(() => createBrowserRouter(isSignedIn ? signedInRoutes : signedOutRoutes), [isSignedIn]);
  useEffect(() => () => router.dispose(), [router]);
  return <RouterProvider key={String(isSignedIn)} router={router} />;
}
