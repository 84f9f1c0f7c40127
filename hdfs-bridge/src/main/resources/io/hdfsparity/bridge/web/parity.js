// Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
"use strict";

// Shows the page anew every ten seconds while somebody looks at it. Without this script it is as it was loaded.
(function () {
  const PERIOD_MS = 10000;

  // The same user asks for JSON.
  const json = document.getElementById("json");
  if (json) {
    json.search = window.location.search;
  }

  async function refresh() {
    if (document.hidden) {
      return;
    }
    try {
      const answer = await fetch(window.location.href, { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) {
        return;
      }
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("page");
      const shown = document.getElementById("page");
      if (!fresh || !shown) {
        return;
      }
      // What was unfolded stays so.
      const open = Array.from(shown.querySelectorAll("details[open] code"), (each) => each.textContent);
      fresh.querySelectorAll("details").forEach((each) => {
        each.open = open.includes(each.querySelector("code").textContent);
      });
      shown.replaceWith(fresh);
    } catch (e) {
      // The NameNode does not answer now; the next round tries again, and the footer says how old this is.
      console.debug("Cannot refresh", e);
    }
  }

  setInterval(refresh, PERIOD_MS);
})();
