// On a small screen, hexes are smaller than a finger: a button makes the regions with small places larger, and they scroll sideways.

const SMALL = 30; // pixels

export class Zoom {
  constructor(button, home) {
    Object.assign(this, { button, home });
    button.onclick = () => this.set(!home.classList.contains("zoomed"));
    new ResizeObserver(() => this.update()).observe(home);
  }

  // Offer it if there are small places.
  update() {
    if (this.home.classList.contains("zoomed")) return;
    const areas = [...this.home.querySelectorAll("svg")].map((svg) => [svg, svg.querySelector(".area")]);
    const small = areas.filter(([, area]) => area && area.getBoundingClientRect().width < SMALL);
    for (const [svg] of areas) svg.classList.toggle("small", small.some(([one]) => one === svg));
    this.button.hidden = !small.length || getComputedStyle(this.home).display !== "flex"; // a wide page shows the whole sheet
  }

  set(isLarge) {
    this.home.classList.toggle("zoomed", isLarge);
    this.button.textContent = isLarge ? "Whole board" : "Zoom in";
    const wanted = this.home.querySelector(".legal") ?? this.home.querySelector(".played .mark");
    if (isLarge) wanted?.scrollIntoView({ block: "center", inline: "center" });
    else this.update();
  }
}
