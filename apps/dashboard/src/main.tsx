import "./ui/styles.css";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { App } from "./app/App.tsx";
import { Splash, StartFailed } from "./app/Splash.tsx";
import { start } from "./app/start.ts";
import { store } from "./state/store.ts";

const root = createRoot(document.getElementById("root") as HTMLElement);
const showUnreachable = () => root.render(<Splash />);
const slowStart = setTimeout(showUnreachable, 3000);
try {
  await start(showUnreachable);
  root.render(
    <Provider store={store}>
      <App />
    </Provider>,
  );
} catch {
  // A chunk of the dashboard failed to load, possibly the texts.
  root.render(<StartFailed />);
}
clearTimeout(slowStart);
