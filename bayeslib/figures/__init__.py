"""The engine of the live figures: a function draws one state, the page draws it sharp and glides to the next."""
