"use strict";
// Keys press the same buttons and links that a mouse would; without this script every page works.
(() => {
  const status = document.getElementById("status");
  const help = document.getElementById("help");
  const find = (selector) => document.querySelector(selector);
  let sending = false;

  const say = (text) => { status.textContent = text; };
  const typing = (element) =>
    element.matches("textarea, select, [contenteditable]") ||
    (element.matches("input") && !["checkbox", "radio", "button", "submit"].includes(element.type));
  const fail = (form, text) => {
    const line = form.querySelector(".failure");
    if (!line) { say(text); return; }
    line.textContent = text;
    line.hidden = false;
    line.scrollIntoView({ block: "nearest" });
  };

  // Not form.action: buttons with that name stand in its place.
  const attribute = (form, name) => form.getAttribute(name) || "";

  // After a new sign-in in another tab, the token of this page is outdated.
  const renew = async () => {
    const fresh = await fetch(location.href, { credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await fresh.text(), "text/html");
    const token = page.querySelector("meta[name=csrf]")?.content;
    for (const field of document.querySelectorAll("input[name=csrf]")) field.value = token || field.value;
  };
  const post = (form, button) => fetch(attribute(form, "action"), {
    method: "POST", body: new URLSearchParams(new FormData(form, button)), redirect: "error",
    credentials: "same-origin", headers: { Accept: "application/json" },
  });

  // A change is sent in the background, so that what was typed is still there when it fails.
  const send = async (form, button) => {
    if (sending) return;
    sending = true;
    const slow = setTimeout(() => say("Saving …"), 400);
    let problem;
    try {
      let answer = await post(form, button);
      if (answer.status === 403) { await renew(); answer = await post(form, button); }
      const said = await answer.json();
      if (said.next) { location.assign(said.next); return; } // still sending: a second key is not meant for this page
      problem = `${said.error.message} ${said.error.remedy}`.trim();
    } catch {
      problem = "The server does not respond. Your text has been kept; try again.";
    } finally {
      clearTimeout(slow);
    }
    sending = false;
    say("");
    fail(form, problem);
  };
  addEventListener("pageshow", () => { sending = false; });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const elsewhere = ["/sign-in", "/sign-out"].includes(attribute(form, "action"));
    if (attribute(form, "method") !== "post" || elsewhere) return;
    event.preventDefault();
    send(form, event.submitter);
  });

  const rows = [...document.querySelectorAll("[data-row]")];
  let at = -1;
  const move = (step) => {
    if (!rows.length) return;
    const page = at + step === rows.length ? "next" : at + step < 0 && at >= 0 ? "prev" : "";
    if (page && press(find(`.pager [rel=${page}]`))) return;
    if (at >= 0) rows[at].classList.remove("at");
    at = Math.min(rows.length - 1, Math.max(0, at + step));
    rows[at].classList.add("at");
    rows[at].scrollIntoView({ block: "nearest" });
    rows[at].querySelector("a")?.focus({ preventScroll: true });
  };
  const press = (element) => {
    if (!element || element.disabled) return false;
    if (element.matches("summary")) {
      element.parentElement.open = true;
      element.parentElement.querySelector("textarea, input").focus();
    } else element.click();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Enter" && (event.ctrlKey || event.metaKey) && target.closest("[data-decision]")) {
      event.preventDefault();
      press(find("[data-save]"));
      return;
    }
    if (key === "Escape" && typing(target)) { target.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(target) || help.open) return;
    let done = true;
    if (key === "?") help.showModal();
    else if (key === "/" ) { const filter = find("#filter"); if (filter) filter.focus(); else location.assign("/queue#filter"); }
    else if (key === "o") press(find("[data-source]"));
    else if (rows.length && (key === "j" || key === "n")) move(1);
    else if (rows.length && key === "p") move(-1);
    else if (rows.length && at >= 0 && key === "x") rows[at].querySelector("input[type=checkbox]")?.click();
    else if (find(`[data-focus="${CSS.escape(key)}"]`)) find(`[data-focus="${CSS.escape(key)}"]`).focus();
    else if (find(`[data-toggle="${CSS.escape(key)}"]`)) find(`[data-toggle="${CSS.escape(key)}"]`).click();
    else if (key === "q" && !find('[data-key~="q"]')) location.assign("/queue");
    else done = /^\S$/.test(key) && press(find(`[data-key~="${CSS.escape(key)}"]`));
    if (done) event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-help]")) button.addEventListener("click", () => help.showModal());
  if (location.hash === "#filter") find("#filter")?.focus();
})();
