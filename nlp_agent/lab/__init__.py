"""What measures the product and what breaks it. The product imports nothing from here."""
