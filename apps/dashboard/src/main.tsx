import "./ui/styles.css";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { App } from "./app/App.tsx";
import { Splash } from "./app/Splash.tsx";
import { start } from "./app/start.ts";
import { store } from "./app/store.ts";

const root = createRoot(document.getElementById("root") as HTMLElement);
await start(() => root.render(<Splash isUnreachable />));
root.render(
  <Provider store={store}>
    <App />
  </Provider>,
);
