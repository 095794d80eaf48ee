"""TikZ of a search: a document that compiles, whatever the names."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from helpers_stories import random_story, wide_story
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.explain.draw.latex import escaped, latex_of
from zermelo.explain.draw.picture import picture_of
from zermelo.explain.search_tree import Story


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_a_document_has_all_of_the_picture(seed: int):
    story = random_story(seed)
    text = latex_of(story, 200)
    assert text.isascii()
    assert text.startswith("%")
    assert text.endswith("\\end{document}\n")
    body = text.partition("\\begin{scope}")[2].partition("\\end{scope}")[0]
    edges = picture_of(story, 200).edges
    assert body.count("\\draw[branch, optimal") == sum(edge.bold for edge in edges) == len(story.path) - 1
    assert body.count("\\draw[strike]") == sum(edge.struck for edge in edges)


def test_what_tex_would_read_as_commands_is_written_out():
    assert escaped("50% of_{#1} \\input $x^2$ ~ &") == (
        r"50\% of\_\{\#1\} \textbackslash{}input \$x\textasciicircum{}2\$ \textasciitilde{} \&"
    )
    assert escaped("≥ 3 α") == r"\ensuremath{\geq} 3 \ensuremath{\alpha}"
    assert escaped("Réti, Erdős") == r"R\'{e}ti, Erd\H{o}s"
    assert escaped("駒") == "U+99D2"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("story", [random_story(3, 70), random_story(8, 50, mcts=True), wide_story(350)], ids=["any", "mcts", "scaled"])
def test_it_compiles_to_one_page(tmp_path, story: Story):
    (tmp_path / "tree.tex").write_text(latex_of(story, 400))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    assert "(1 page" in done.stdout
    assert "Overfull" not in done.stdout
