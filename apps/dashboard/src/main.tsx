import "./ui/styles.css";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { App } from "./app/App.tsx";
import { Splash, StartFailed } from "./app/Splash.tsx";
import { start } from "./app/start.ts";
import { store } from "./state/store.ts";

const root = createRoot(document.getElementById("root") as HTMLElement);
const sayUnreachable = () => root.render(<Splash />);
const silence = setTimeout(sayUnreachable, 3000);
try {
  await start(sayUnreachable);
  root.render(
    <Provider store={store}>
      <App />
    </Provider>,
  );
} catch {
  // A part of the page itself did not come, perhaps not even its words.
  root.render(<StartFailed />);
}
clearTimeout(silence);
