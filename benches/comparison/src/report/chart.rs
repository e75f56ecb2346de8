//! The comparisons as a picture: one panel for each group and list of sizes, one line for each mode.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::comparison::{Comparison, unique};

const PANEL: (u32, u32) = (560, 360);
const COLUMNS: usize = 2;

/// An SVG of the ratios with their intervals, on a logarithmic axis.
///
/// # Errors
///
/// If the drawing fails.
pub(crate) fn chart(comparisons: &[Comparison]) -> Result<String, Box<dyn Error>> {
    let panels = unique(comparisons.iter().map(|found| (found.group, found.sizes)));
    let rows = panels.len().div_ceil(COLUMNS).max(1);
    let mut text = String::new();
    {
        let size = (PANEL.0 * COLUMNS as u32, PANEL.1 * rows as u32);
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (panel, area) in panels.iter().zip(root.split_evenly((rows, COLUMNS))) {
            let shown: Vec<_> = comparisons.iter().filter(|found| (found.group, found.sizes) == *panel).collect();
            draw(&area, &format!("{} {}", panel.0, panel.1.trim_matches('-')), &shown)?;
        }
        root.present()?;
    }
    Ok(text)
}

fn draw(area: &DrawingArea<SVGBackend<'_>, Shift>, title: &str, shown: &[&Comparison]) -> Result<(), Box<dyn Error>> {
    let modes = unique(shown.iter().map(|found| found.mode));
    let workers = unique(shown.iter().map(|found| found.workers));
    let reference = shown.iter().find_map(|found| found.against).unwrap_or("the reference");

    let bounds = |found: &Comparison| found.ratio.interval.map(|interval| [interval.low, interval.high]);
    let ratios = shown.iter().flat_map(|found| bounds(found).unwrap_or([found.ratio.median; 2]));
    let (low, high) = ratios.fold((0.8_f64, 1.25_f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));

    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(130)
        .build_cartesian_2d((low / 1.1..high * 1.1).log_scale(), -0.5..modes.len() as f64 - 0.5)?;
    let name = |y: &f64| {
        let index = y.round();
        let is_line = (y - index).abs() < 0.01 && index >= 0.0;
        let mode = is_line.then(|| modes.iter().rev().nth(index as usize)).flatten();
        mode.map_or_else(String::new, |mode| (*mode).to_owned())
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .y_labels(2 * modes.len() + 1)
        .y_label_formatter(&name)
        .x_desc(format!("time over that of `{reference}` (median and 95 % interval)"))
        .draw()?;

    for (series, workers) in workers.iter().enumerate() {
        let colour = Palette99::pick(series).to_rgba();
        // Beside each other, so that none hides another.
        let offset = (series as f64 + 0.5) / shown.len().max(1) as f64 * modes.len() as f64 * 0.6 - 0.3;
        let line = |mode: &str| modes.iter().rev().position(|found| *found == mode).unwrap_or(0) as f64 - offset;
        let of_series: Vec<_> = shown.iter().filter(|found| found.workers == *workers).collect();
        let intervals = of_series.iter().filter_map(|found| {
            let [low, high] = bounds(found)?;
            Some(PathElement::new([(low, line(found.mode)), (high, line(found.mode))], colour.stroke_width(2)))
        });
        chart.draw_series(intervals)?;
        let medians =
            of_series.iter().map(|found| Circle::new((found.ratio.median, line(found.mode)), 3, colour.filled()));
        chart
            .draw_series(medians)?
            .label(format!("{workers} {}", if *workers == 1 { "thread" } else { "threads" }))
            .legend(move |(x, y)| Circle::new((x + 10, y), 3, colour.filled()));
    }
    // Where the reference and the floor are: near 1, so the corner is free.
    let corner = SeriesLabelPosition::UpperRight;
    chart.configure_series_labels().position(corner).background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    Ok(())
}
